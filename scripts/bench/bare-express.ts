import express from "express";
import { operations } from "../../generated/operations.ts";

/**
 * The anchor of the requests: Express with no middleware and its default settings, on a port of the system's choice.
 * It answers the text of the environment variable `BODY` as JSON at one route and prints its address.
 */
const body: unknown = JSON.parse(process.env.BODY ?? "null");
const app = express();
app.get(operations.getApiKey.path.replace("{id}", ":id"), (_request, response) => {
  response.json(body);
});
const listener = app.listen(0, "127.0.0.1", () => {
  const address = listener.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  console.log(`Serving at http://127.0.0.1:${port}`);
});
