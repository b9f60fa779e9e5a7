/**
 * The bounds of a number as text: ` 1..7`, ` 1..`, or nothing. Bounds of all safe integers are left out, because schema
 * libraries add them to every integer.
 */
export function rangeText({ minimum, maximum }: { readonly minimum?: unknown; readonly maximum?: unknown }): string {
  const least = typeof minimum === "number" && minimum > Number.MIN_SAFE_INTEGER ? minimum : "";
  const most = typeof maximum === "number" && maximum < Number.MAX_SAFE_INTEGER ? maximum : "";
  return least === "" && most === "" ? "" : ` ${least}..${most}`;
}
