import { join } from "node:path";

/** The environment of a child process whose modules others have read before it: what they compiled is kept on disk. */
export const withCompileCache: NodeJS.ProcessEnv = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, "../node_modules/.cache/bylaw"),
  // By their places in the project, so that a copy of it finds them too.
  NODE_COMPILE_CACHE_PORTABLE: "1",
  ...process.env,
};
