/**
 * Area codes under the calling code +1 that belong to other countries than the United States and Canada: North American
 * Numbering Plan Administrator, "Area codes by location", 2026. Those of United States territories (340, 670, 671, 684,
 * 787, 939) and of no place, such as 800, are not among them.
 */
const elsewhere: ReadonlySet<string> = new Set([
  ...["242", "246", "264", "268", "284", "345", "441", "473", "649", "658", "664", "721", "758", "767"],
  ...["784", "809", "829", "849", "868", "869", "876"],
]);

/** Neither an area code nor an exchange ends with 11, as 911 does. */
const form = /^\+1([2-9](?:1[02-9]|[02-9][0-9]))[2-9](?:1[02-9]|[02-9][0-9])[0-9]{4}$/;

/** Whether an E.164 number has the form of one of the United States or Canada, and none of another country. */
export function isOfUnitedStatesOrCanada(number: string): boolean {
  const [, area = null] = form.exec(number) ?? [];
  return area !== null && !elsewhere.has(area);
}
