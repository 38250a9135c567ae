/** What keeps a command from doing its work; the message, which says what to do, is all that a user needs. */
export class CannotRun extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CannotRun";
  }
}
