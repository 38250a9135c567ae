/** Where something came that was to come to one endpoint alone: there, elsewhere, or both. */
export const whereText = (isThere: boolean, elsewhere: readonly string[]): string => {
  if (elsewhere.length === 0) return isThere ? "there" : "nowhere";
  const others = `at ${elsewhere.join(" and at ")}`;
  return isThere ? `there, and ${others}, too` : `not there, but ${others}`;
};
