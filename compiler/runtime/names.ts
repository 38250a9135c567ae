/** A service of the contract: printed as a union of its names. */
export type ServiceName = string;

/** A kind of caller: printed as a union of their names, with null where an operation names none. */
export type CallerKind = string | null;
