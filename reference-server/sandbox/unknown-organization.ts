import { refuse } from "../../generated/error-rows.ts";

export const unknownOrganization = () => refuse.SandboxNotFound("There is no such organization.");
