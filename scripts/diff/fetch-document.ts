import { CannotRun } from "../commands/cannot-run.ts";

const maxBytes = 50 * 1024 * 1024;
const mostRedirects = 3;

/**
 * The text at a URL: at most 50 MB, within `milliseconds`, by HTTPS; plain HTTP is for this machine only. At most three
 * redirects are followed. `CannotRun` says what is in the way.
 */
export async function fetchDocument(address: string, milliseconds = 30_000): Promise<string> {
  // The HTTP client takes longer to load than a comparison of small documents takes.
  const { request } = await import("undici");
  const signal = AbortSignal.timeout(milliseconds);
  const begin = checked(address, address);
  let at = begin;
  try {
    for (let redirects = 0; ; redirects += 1) {
      const { statusCode, headers, body } = await request(at, {
        signal,
        headers: { accept: "application/json, application/yaml, text/plain;q=0.9, */*;q=0.1" },
      });
      if (statusCode === 200) return await textOf(body, address);
      body.on("error", () => undefined).destroy();
      const { location } = headers;
      if (statusCode < 300 || statusCode > 399 || typeof location !== "string") {
        throw cannotFetch(address, `The answer is ${statusCode}.`, "Look whether it can be read without credentials");
      }
      if (redirects === mostRedirects) {
        throw cannotFetch(address, `It redirects more than ${mostRedirects} times.`, "Name the last address");
      }
      at = checked(new URL(location, at).href, address);
      if (isLoopback(at) && !isLoopback(begin)) {
        throw cannotFetch(address, "It redirects to this machine.", "Name the last address");
      }
    }
  } catch (problem) {
    if (problem instanceof CannotRun) throw problem;
    if (signal.aborted) throw cannotFetch(address, `It took more than ${milliseconds / 1000} s.`, "Try again");
    const reason = problem instanceof Error ? problem.message || problem.name : String(problem);
    throw cannotFetch(address, `It cannot be reached: ${reason}.`, "Correct the URL");
  }
}

async function textOf(body: AsyncIterable<Buffer>, address: string): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw cannotFetch(address, "It is larger than 50 MB.", "Name a smaller document");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === "localhost" || hostname === "[::1]" || /^127(\.\d+){3}$/.test(hostname);

function checked(text: string, address: string): URL {
  if (!URL.canParse(text)) throw cannotFetch(address, "This is no URL.", "Correct it");
  const url = new URL(text);
  if (url.username !== "" || url.password !== "") {
    throw cannotFetch(address, "It holds credentials, which are not sent.", "Take them out");
  }
  if (url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url))) return url;
  throw cannotFetch(address, "Only HTTPS is read, and HTTP of this machine.", "Write https://");
}

/** Addresses are shown without what may be secret in them. */
const shownAddress = (address: string): string => address.replace(/\/\/[^/@]*@/, "//…@").slice(0, 200);

const cannotFetch = (address: string, why: string, fix: string): CannotRun =>
  new CannotRun(
    `${shownAddress(address)}: ${why}\n  ${fix}, or fetch it first and name the file: curl -fsSL -o openapi.yaml URL`,
  );
