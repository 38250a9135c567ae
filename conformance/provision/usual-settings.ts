/** What an organization of the kit is asked to have, unless a check wishes for something else. */
export const usualSettings = {
  /** Millionths of a US dollar: more than all of its calls cost. */
  wallet_micros: 1_000_000_000,
  /** The same: by what it has spent it may send as many messages as any. */
  lifetime_spend_micros: 10_000_000_000,
  /** The same: it may register as many brands as its calls need. */
  is_reseller: true,
} as const;
