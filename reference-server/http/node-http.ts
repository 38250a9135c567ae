/**
 * Node's `http`, in part. An import of it would read all that it exports, Node's own client among that, which nobody
 * here asks for: a tenth of what a server takes to start.
 */
export const { createServer, STATUS_CODES } = process.getBuiltinModule("node:http");
