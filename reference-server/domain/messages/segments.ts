/** Characters of the GSM 03.38 default alphabet (3GPP TS 23.038, 6.2.1). */
const basic = new Set(
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà",
);

/** Characters of its extension, which take two places. */
const extended = new Set("\f^{}\\[~]|€");

/** Places of a message that is alone in its segment, and of one that shares several. */
const sizes = { gsm: { alone: 160, shared: 153 }, other: { alone: 70, shared: 67 } };

/** How many segments a text takes: seven bits a character where GSM 03.38 has them all, sixteen otherwise. */
export function segmentsOf(text: string): number {
  const characters = [...text];
  const isGsm = characters.every((one) => basic.has(one) || extended.has(one));
  const { alone, shared } = isGsm ? sizes.gsm : sizes.other;
  const places = isGsm ? characters.length + characters.filter((one) => extended.has(one)).length : text.length;
  return places <= alone ? 1 : Math.ceil(places / shared);
}
