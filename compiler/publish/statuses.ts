/**
 * `allowed`: what every server of the contract keeps, with ranges of statuses where they are left open; `reference`:
 * what the reference server does, with every status exactly and the scopes that it chose.
 */
export type Statuses = "allowed" | "reference";
