/** A text whose contrast with its background is too small. */
export interface PaleText {
  readonly element: string;
  readonly text: string;
  readonly ratio: number;
}

/**
 * Finds texts that WCAG 2.2 calls too pale: below 4.5 to 1, or 3 to 1 for large text. It runs in the page, so it uses nothing outside
 * of itself.
 */
export function findPaleTexts(): PaleText[] {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number];
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 1;
  const context = canvas.getContext("2d", { willReadFrequently: true });
  const known = new Map<string, Colour>();
  // The canvas understands all notations of colours.
  const parse = (text: string): Colour => {
    const found = known.get(text);
    if (found !== undefined || context === null) return found ?? [0, 0, 0, 1];
    context.clearRect(0, 0, 1, 1);
    context.fillStyle = text;
    context.fillRect(0, 0, 1, 1);
    const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
    const colour: Colour = [red, green, blue, alpha / 255];
    known.set(text, colour);
    return colour;
  };
  const over = ([red, green, blue, alpha]: Colour, [r, g, b]: Colour): Colour => [
    red * alpha + r * (1 - alpha),
    green * alpha + g * (1 - alpha),
    blue * alpha + b * (1 - alpha),
    1,
  ];
  const luminance = ([red, green, blue]: Colour): number => {
    const part = (value: number): number =>
      value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
  };
  const behind = (element: Element | null): Colour => {
    if (element === null) return [255, 255, 255, 1];
    const colour = parse(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour : over(colour, behind(element.parentElement));
  };

  const pale = new Map<string, PaleText>();
  const seen = new Map<string, number>();
  for (const element of document.querySelectorAll("body *")) {
    const text = [...element.childNodes].map((node) => (node.nodeType === 3 ? node.nodeValue?.trim() : "")).join("");
    if (text === "" || element.closest("script, style, noscript, [aria-hidden=true], [disabled]") !== null) continue;
    if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    const background = behind(element);
    const key = `${style.color} ${background.join()}`;
    const ratio = seen.get(key) ?? ratioOf(over(parse(style.color), background), background);
    seen.set(key, ratio);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5) && !pale.has(key))
      pale.set(key, {
        element: `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""}`,
        text: text.slice(0, 40),
        ratio: Math.round(ratio * 100) / 100,
      });
  }
  return [...pale.values()];

  function ratioOf(one: Colour, other: Colour): number {
    const [a, b] = [luminance(one), luminance(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  }
}
