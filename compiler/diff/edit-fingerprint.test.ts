import { describe, expect, it } from "vitest";
import type { Json, JsonSchema } from "../contract.ts";
import type { Change } from "./change.ts";
import { diff } from "./diff.ts";
import { asContract, plantedBase as base } from "./planted-base.ts";
import { type Edit, edited, set } from "./planted-changes.ts";
import { sampledInclusion as includes } from "./sampled-inclusion.ts";
import { documentOf } from "./fixtures/document-of.ts";
