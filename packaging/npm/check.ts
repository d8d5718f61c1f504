// Compiled, not run: the types of the package.
import { Brain, Engine, type Analysis, type Position } from "tengen";

const position: Position = { rule: "renju", moves: ["h8", "i9"] };
export async function check(): Promise<Analysis> {
  const engine = await Engine.start({ threads: 2 });
  const { move } = await engine.play(position, { player: "level:casual", timeMs: 100 });
  // @ts-expect-error: no such rule
  await engine.judge({ rule: "chess" });
  await new Brain(engine, (line: string) => void line).line(`TURN ${move}`);
  return engine.analyse(position, { lines: 2, onProgress: ({ lines }) => void lines[0]?.pv });
}
