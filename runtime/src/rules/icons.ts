/** As much of an icon as the choice depends on. */
export interface IconSource {
  /** Address of the picture. */
  readonly src: string;
  /** Pixels such as `48x48`, or `any` when scalable; absent means fit for every size. */
  readonly sizes?: readonly string[];
  /** Background for which it was drawn; absent means either. */
  readonly theme?: "light" | "dark";
}

/** Where the icon will be shown. */
export interface IconPreferences {
  /** The background; without it the theme does not count. */
  readonly theme?: "light" | "dark";
  /** Pixels of the longer side; without it the size does not count. */
  readonly size?: number;
}

/**
 * Picks the icon that fits a place best (MCP, basic protocol: icons). The theme comes first: the wanted one, then icons
 * for either, then the other. Among equals, the size: an exact or scalable one, then the smallest that is larger, then
 * the largest that is smaller. What is still equal is decided by the server's order.
 *
 * Only `https:` and `data:` sources are considered; the rest may run code or open files and applications. The picture
 * itself is untrusted as well: load it without credentials, check its type, and do not run what an SVG contains.
 * @returns undefined when no icon has a safe source
 */
export function pickIcon<Icon extends IconSource>(
  icons: readonly Icon[] = [],
  { theme, size }: IconPreferences = {},
): Icon | undefined {
  const ranked = icons
    .filter(({ src }) => /^(https|data):/i.test(src))
    .map((icon) => ({ icon, background: themeCost(icon, theme), scaling: sizeCost(icon, size) }))
    .sort((a, b) => a.background - b.background || a.scaling - b.scaling);
  return ranked[0]?.icon;
}

function themeCost(icon: IconSource, wanted: string | undefined): number {
  if (wanted === undefined || icon.theme === wanted) return 0;
  return icon.theme === undefined ? 1 : 2;
}

function sizeCost({ sizes }: IconSource, wanted: number | undefined): number {
  if (wanted === undefined || !sizes?.length) return 0;
  return Math.min(...sizes.map((size) => scalingCost(size, wanted)));
}

function scalingCost(size: string, wanted: number): number {
  if (size === "any") return 0;
  const [, width, height] = /^(\d{1,6})x(\d{1,6})$/i.exec(size) ?? [];
  const side = Math.max(Number(width ?? 0), Number(height ?? 0));
  // Enlarging any picture looks worse than reducing any other, hence more than the longest reduction.
  return side < wanted ? 1e6 + wanted - side : side - wanted;
}
