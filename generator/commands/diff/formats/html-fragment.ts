declare const brand: unique symbol;

/** A piece of HTML that is safe to print; texts become HTML only through the functions of this file. */
export type Html = string & { readonly [brand]: true };

export function html(parts: TemplateStringsArray, ...values: readonly Html[]): Html {
  return parts.map((part, index) => part + (values[index] ?? "")).join("") as Html;
}

export function joined(items: readonly Html[], separator = ""): Html {
  return items.join(separator) as Html;
}

export const nothing = "" as Html;

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text, between tags or inside a quoted attribute. */
export function text(value: string | number): Html {
  // eslint-disable-next-line no-control-regex -- they are not valid in HTML
  const clean = String(value).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "\ufffd");
  return clean.replace(/[&<>"']/g, (found) => entities[found] ?? "") as Html;
}

/** A sentence of ours, in which backquotes mark code. */
export function sentence(value: string): Html {
  const parts = value.split(/`([^`]*)`/);
  return joined(parts.map((part, index) => (index % 2 === 1 ? html`<code>${text(part)}</code>` : text(part))));
}

/** A link, when the address is one of the web; its label otherwise. */
export function link(address: string | undefined, label: Html): Html {
  if (address === undefined || !/^https?:\/\//.test(address) || !URL.canParse(address)) return label;
  return html`<a href="${text(new URL(address).href)}" rel="noreferrer">${label}</a>`;
}
