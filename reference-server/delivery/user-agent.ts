import manifest from "../../package.json" with { type: "json" };

/** How the server names itself to receivers. */
export const userAgent = `bylaw-reference/${manifest.version}`;
