// Schemas that no model can describe. The generated schemas consist of them and of those of zod.
import * as z from "zod/v4";
import type { JSONArray, JSONObject, JSONValue } from "./json.js";

export const jsonValue: z.ZodType<JSONValue, JSONValue> = /* @__PURE__ */ z.lazy(() =>
  z.union([z.string(), z.number(), z.boolean(), z.null(), z.record(z.string(), jsonValue), z.array(jsonValue)]),
);
export const jsonObject: z.ZodType<JSONObject, JSONObject> = /* @__PURE__ */ z.record(z.string(), jsonValue);
export const jsonArray: z.ZodType<JSONArray, JSONArray> = /* @__PURE__ */ z.array(jsonValue);

/** A request or notification without its envelope. */
export type Message<Method extends string, Params extends z.ZodType> = z.ZodObject<{
  method: z.ZodLiteral<Method>;
  params: Params;
}>;

export function message<const Method extends string, Params extends z.ZodType>(
  method: Method,
  params: Params,
): Message<Method, Params> {
  return z.object({ method: z.literal(method), params });
}

/** Any object or function, which is kept as it is. */
export const assertObject: z.ZodCustom<object, object> = /* @__PURE__ */ z.custom<object>(
  (value) => value !== null && (typeof value === "object" || typeof value === "function"),
);

function isBase64(text: string): boolean {
  try {
    atob(text);
    return true;
  } catch {
    return false;
  }
}

export const base64: z.ZodString = /* @__PURE__ */ z.string().refine(isBase64, { message: "Invalid Base64 string" });
export const dateTime: z.ZodISODateTime = /* @__PURE__ */ z.iso.datetime({ offset: true });
export const url: z.ZodString = /* @__PURE__ */ z.string().url();
export const fileUri: z.ZodString = /* @__PURE__ */ z.string().startsWith("file://");

/** The values of a form. Null counts as absent. */
export const formContent = /* @__PURE__ */ z.preprocess(
  (value) => (value === null ? undefined : value),
  z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())])).optional(),
);

/** An empty capability means forms. */
function withForms(value: unknown): unknown {
  const isEmpty =
    typeof value === "object" && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
  return isEmpty ? { form: {} } : value;
}

export const elicitationCapability = /* @__PURE__ */ z.preprocess(
  withForms,
  z.intersection(
    z.object({
      form: z.intersection(z.object({ applyDefaults: z.boolean().optional() }), jsonObject).optional(),
      url: jsonObject.optional(),
    }),
    jsonObject.optional(),
  ),
);

export const looseElicitationCapability = /* @__PURE__ */ z.preprocess(
  withForms,
  z.intersection(
    z.object({
      form: z
        .intersection(z.object({ applyDefaults: z.boolean().optional() }), z.record(z.string(), z.unknown()))
        .optional(),
      url: assertObject.optional(),
    }),
    z.record(z.string(), z.unknown()).optional(),
  ),
);

/** A URL that a program can follow without running its text. */
export const safeUrl = /* @__PURE__ */ z
  .url()
  .superRefine((text, context) => {
    if (URL.canParse(text)) return;
    context.addIssue({ code: "custom", message: "URL must be parseable", fatal: true });
  })
  .refine((text) => !["javascript:", "data:", "vbscript:"].includes(new URL(text).protocol), {
    message: "URL cannot use javascript:, data:, or vbscript: scheme",
  });

/** The same for members where some servers send an empty string in place of nothing. */
export const optionalSafeUrl = /* @__PURE__ */ safeUrl.optional().or(z.literal("").transform(() => undefined));

export const lenientText = /* @__PURE__ */ z.string().optional().catch(undefined);
export const lenientBoolean = /* @__PURE__ */ z.boolean().optional().catch(undefined);
export const coercedNumber = /* @__PURE__ */ z.coerce.number();
export const anyValue: z.ZodAny = /* @__PURE__ */ z.any();

export const text: z.ZodString = /* @__PURE__ */ z.string();
export const optionalText = /* @__PURE__ */ text.optional();
export const optionalBoolean = /* @__PURE__ */ z.boolean().optional();
export const optionalNumber = /* @__PURE__ */ z.number().optional();
export const unknown: z.ZodUnknown = /* @__PURE__ */ z.unknown();
export const integer = /* @__PURE__ */ z.number().int();
export const objectType: z.ZodLiteral<"object"> = /* @__PURE__ */ z.literal("object");
export const texts = /* @__PURE__ */ z.array(text);
export const optionalTexts = /* @__PURE__ */ texts.optional();
export const record = /* @__PURE__ */ z.record(text, unknown);
export const optionalRecord = /* @__PURE__ */ record.optional();
