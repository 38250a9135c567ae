import { randomBytes } from "node:crypto";

/** A label for a key: short, plain and no other key's, since the document shows no rules that labels must keep. */
export const newLabel = (): string => `bylaw-${randomBytes(4).toString("hex")}`;
