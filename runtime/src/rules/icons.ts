/** The members of an icon that affect the choice. */
export interface IconSource {
  /** The URI of the image. */
  readonly src: string;
  /** Sizes in pixels such as `48x48`, or `any` if scalable. Default: fits every size. */
  readonly sizes?: readonly string[];
  /** The background that the icon is made for. Default: both. */
  readonly theme?: "light" | "dark";
}

/** The place where the icon is shown. */
export interface IconPreferences {
  /** The background. Default: the theme is ignored. */
  readonly theme?: "light" | "dark";
  /** Pixels of the longer side. Default: the size is ignored. */
  readonly size?: number;
}

/**
 * Picks the icon that fits a place best (MCP, basic protocol: icons). The theme decides first: the wanted one, then icons for
 * both, then the other. Then the size: an exact or scalable icon, then the smallest larger one, then the largest smaller
 * one. Then the server's order.
 *
 * Only `https:` and `data:` sources are considered; others may run code or open files and applications. The image itself is
 * untrusted, too: load it without credentials, check its type, and do not run scripts in an SVG.
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
  // Enlarging an image looks worse than reducing one, so it costs more than any reduction.
  return side < wanted ? 1e6 + wanted - side : side - wanted;
}
