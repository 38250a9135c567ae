import { constants } from "../../generated/constants.ts";

const header = constants.signatureHeader.toLowerCase();

/** Characters of a signature that are shown: enough to tell two apart. */
const shown = 8;

/** The text with the values of delivery signatures, as the contract writes them, cut short. */
export const abridgeSignatures = (text: string): string =>
  text.replace(/\bt=\d{1,12}(?:,v1=[^,\s"]+)+/g, (signature) =>
    signature.replace(/(,v1=)([^,]+)/g, (_, name: string, value: string) => name + cut(value)),
  );

/** The value of a header with whatever may be a signature in it cut short, also where it has another form. */
export const abridgeHeader = (name: string, value: string): string =>
  name.toLowerCase() === header ? value.replace(/[A-Za-z0-9+/_-]{16,}={0,2}/g, cut) : abridgeSignatures(value);

const cut = (value: string): string => (value.length > shown ? `${value.slice(0, shown)}…` : value);
