// The sound of a stone on wood, made by the browser: a short knock.

/** Length of the sound, in seconds. */
const LENGTH = 0.09;

export class StoneSound {
  /** @type {AudioContext | null} */
  #context = null;

  /** Plays the sound; silent where the browser allows none. */
  play() {
    try {
      this.#context ??= new AudioContext();
      const context = this.#context;
      const samples = context.sampleRate * LENGTH;
      const buffer = context.createBuffer(1, samples, context.sampleRate);
      const data = buffer.getChannelData(0);
      for (let i = 0; i < samples; i++) {
        const time = i / context.sampleRate;
        const knock = Math.sin(2 * Math.PI * 900 * time) * 0.5 + Math.sin(2 * Math.PI * 1730 * time) * 0.25;
        data[i] = (knock + (Math.random() - 0.5) * 0.5) * Math.exp(-time * 90);
      }
      const source = context.createBufferSource();
      source.buffer = buffer;
      const gain = context.createGain();
      gain.gain.value = 0.4;
      source.connect(gain).connect(context.destination);
      source.start();
    } catch {
      // No sound here.
    }
  }
}
