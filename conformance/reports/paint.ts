import { styleText } from "node:util";

type Style = Parameters<typeof styleText>[0];

/** Colours text, or leaves it alone. */
export interface Paint {
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly bold: (text: string) => string;
}

export function paintWith(colour: boolean): Paint {
  const as =
    (style: Style) =>
    (text: string): string =>
      colour && text !== "" ? styleText(style, text, { validateStream: false }) : text;
  return {
    red: as("red"),
    green: as("green"),
    yellow: as("yellow"),
    cyan: as("cyan"),
    dim: as("dim"),
    bold: as("bold"),
  };
}
