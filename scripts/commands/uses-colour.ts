/** Whether a stream is a terminal whose user did not ask for plain text (NO_COLOR). */
export const usesColour = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && (process.env.NO_COLOR ?? "") === "";
