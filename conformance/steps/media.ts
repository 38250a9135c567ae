import type { CallInput } from "../context/context.ts";

const boundary = "bylaw-9f1c2d3e";

/** A picture of one transparent dot. */
const picture = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** An upload as browsers send a form with one file. */
export const pictureUpload: CallInput = {
  headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
  rawBody: Buffer.concat([
    Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="dot.gif"\r\ncontent-type: image/gif\r\n\r\n`,
    ),
    picture,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]),
};
