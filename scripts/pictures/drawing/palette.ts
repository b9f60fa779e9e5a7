/** The colours of all pictures, for a light and a dark page. Each picture has a background of its own, so that it is readable on any page. */
export const palettes = {
  light: {
    page: "#f6f8fa",
    box: "#ffffff",
    line: "#818b98",
    text: "#1f2328",
    quiet: "#525a63",
    blue: "#0550ae",
    green: "#116329",
    amber: "#7d4e00",
    violet: "#6639ba",
  },
  dark: {
    page: "#1c1f24",
    box: "#121417",
    line: "#78818c",
    text: "#e6e8eb",
    quiet: "#adb4bd",
    blue: "#79b8ff",
    green: "#6cd68b",
    amber: "#e5b84b",
    violet: "#d2a8ff",
  },
} as const;

export type Colour = keyof (typeof palettes)["light"];

/** The colours in which text is drawn; each has a contrast of at least 4.5 with both backgrounds. */
export const textColours = ["text", "quiet", "blue", "green", "amber", "violet"] as const satisfies readonly Colour[];
export type TextColour = (typeof textColours)[number];

/** The colours on which text is drawn. */
export const backgrounds = ["page", "box"] as const satisfies readonly Colour[];

/** Returns the contrast of two colours (WCAG 2.2, contrast ratio), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((index) => {
    const channel = Number.parseInt(colour.slice(index, index + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
