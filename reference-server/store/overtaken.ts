/** Others came in the way of a unit of work, which is done again from its beginning. */
export class Overtaken extends Error {
  constructor(by: string) {
    super(`Others came in the way of a unit of work: ${by}.`);
    this.name = "Overtaken";
  }
}
