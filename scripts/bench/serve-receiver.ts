import { createServer } from "node:http";

/**
 * A process of its own that receives: it takes every POST and answers 200. A GET tells how many have come since the last
 * DELETE, and the milliseconds from the first to the last of them.
 */
let count = 0;
let first = 0;
let last = 0;
const server = createServer((request, response) => {
  if (request.method === "GET") {
    response.end(JSON.stringify({ count, milliseconds: last - first }));
    return;
  }
  if (request.method === "DELETE") {
    count = 0;
    response.end();
    return;
  }
  request.resume().once("end", () => {
    last = performance.now();
    if (count === 0) first = last;
    count++;
    response.end("ok");
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  console.log(`Serving at http://127.0.0.1:${port}`);
});
