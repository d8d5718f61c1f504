/** Set-up of the tests of `Play`. */

import { Clock } from "../page/clock.js";
import { Play } from "../page/play.js";
import { Session } from "../page/session.js";
import { Settings } from "../page/settings.js";
import { SolvedGame } from "../page/solved.js";
import { FakeEngine, FakeTime, addressBar, cookieJar, settle, withGlobals } from "./support.js";

/** A freestyle game on 15x15 with an engine that answers by `reply`. */
export async function openPlay(t, notify) {
  const time = new FakeTime().install(t);
  withGlobals(t, { ...addressBar(), document: cookieJar() });
  const engine = new FakeEngine();
  const session = new Session(engine, { rule: "freestyle", width: 15, height: 15 });
  const settings = new Settings();
  const clock = new Clock();
  const solved = new SolvedGame({ session, engine, settings });
  const play = new Play({ session, engine, settings, clock, notify, solved });
  session.refreshFacts();
  await settle();

  /** Answers with this move of the engine; `time` passes until its stone is placed. */
  async function reply(move) {
    engine.last.resolve({ move });
    await settle();
    time.pass(1000);
    await settle();
  }

  return { time, engine, session, settings, clock, play, reply };
}
