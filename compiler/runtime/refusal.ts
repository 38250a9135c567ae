import type { Json } from "./json.ts";
import type { ServiceName } from "./names.ts";

/** One row of the error catalog. */
export interface ErrorRow {
  readonly service: ServiceName;
  readonly code: string;
  /** What the contract allows: one status, or an inclusive range less exceptions. */
  readonly status: number | { readonly from: number; readonly to: number; readonly except: readonly number[] };
  /** The status that the reference server answers with. */
  readonly referenceStatus: number;
  /** `none`: never; `fields`: field name to explanation; a list: exactly these keys. */
  readonly details: "none" | "fields" | readonly string[];
  readonly when: string;
  /** Not in the API document. */
  readonly extension: boolean;
  /** May answer any operation. */
  readonly anywhere: boolean;
  /** What a server that answers so lawfully does not do, after "the target"; null for other rows. */
  readonly notOffered: string | null;
  readonly headers: readonly string[];
}

export interface RefusalExtras {
  readonly details?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly data?: Json;
}

/** An error answer that a handler gives: a row of the catalog with its message. */
export class Refusal<Row extends string = string> {
  readonly row: Row;
  readonly message: string;
  readonly details: Readonly<Record<string, string>> | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: Json | undefined;

  constructor(row: Row, message: string, extras: RefusalExtras = {}) {
    this.row = row;
    this.message = message;
    this.details = extras.details ?? null;
    this.headers = extras.headers ?? {};
    this.data = extras.data;
  }
}
