/** Milliseconds for which a connection without a request is kept. */
const idle = 500;

/**
 * How connections are kept, for undici's agents. A server may close one at any time that waits for its next request: a
 * request that meets that is lost without anybody's fault. So the kit closes its own before servers do.
 */
export const soonClosed = { keepAliveTimeout: idle, keepAliveMaxTimeout: idle } as const;
