/** Lets one waiter sleep until somebody rings. A ring that nobody is waiting for is kept for the next wait. */
export class Alarm {
  #rung = false;
  #wake: (() => void) | null = null;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Until the next ring, or for so many milliseconds. */
  async wait(milliseconds: number): Promise<void> {
    if (!this.#rung)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, milliseconds);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    this.#rung = false;
    this.#wake = null;
  }
}
