import type { Json } from "./envelope.js";

const fields: Readonly<Record<string, Json>> = {
  email: { type: "string", title: "E-mail", format: "email" },
  nickname: { type: "string", minLength: 2, maxLength: 20, default: "guest" },
  age: { type: "integer", minimum: 18, maximum: 120 },
  rating: { type: "number", title: "Rating", description: "From 0 to 5", minimum: 0, maximum: 5 },
  newsletter: { type: "boolean", title: "Newsletter", default: false },
  plan: { type: "string", enum: ["free", "team", "enterprise"], default: "free" },
  colour: {
    type: "string",
    title: "Colour",
    oneOf: [
      { const: "#f00", title: "Red" },
      { const: "#00f", title: "Blue" },
    ],
  },
  days: { type: "array", items: { type: "string", enum: ["mon", "tue", "wed"] }, minItems: 1 },
  topics: {
    type: "array",
    items: {
      anyOf: [
        { const: "a", title: "Arts" },
        { const: "s", title: "Science" },
      ],
    },
    default: ["s"],
  },
  size: { type: "string", enum: ["s", "m", "l"], enumNames: ["Small", "Medium", "Large"] },
};

/** All kinds of fields; the index selects the first one. */
export function formSchema(index: number): Json {
  const entries = Object.entries(fields);
  const rotated = [...entries.slice(index % entries.length), ...entries.slice(0, index % entries.length)];
  const chosen = rotated.slice(0, 4 + (index % 6));
  return {
    type: "object",
    properties: Object.fromEntries(chosen),
    required: index % 2 === 0 ? chosen.slice(0, 2).map(([name]) => name) : undefined,
  };
}
