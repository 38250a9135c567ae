/** How a wallet tops itself up. */
export interface AutoTopUp {
  readonly productId: string;
  /** US cents: a balance below it is topped up. */
  readonly threshold: number;
}
