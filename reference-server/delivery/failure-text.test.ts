import { describe, expect, it } from "vitest";
import { failureText } from "./failure-text.ts";

const withCode = (code: string): Error => Object.assign(new Error("10.0.0.5:5432 /srv/app"), { code });

describe("the text of a failure", () => {
  it.each([
    ["ECONNREFUSED", "the connection was refused"],
    ["ECONNRESET", "the connection was closed before an answer came"],
    ["UND_ERR_SOCKET", "the connection was closed before an answer came"],
    ["UND_ERR_CONNECT_TIMEOUT", "no connection came about in time"],
    ["ENETUNREACH", "the host cannot be reached"],
    ["HPE_INVALID_CONSTANT", "the answer is not HTTP"],
    ["HPE_HEADER_OVERFLOW", "the headers of the answer are too large"],
    ["DEPTH_ZERO_SELF_SIGNED_CERT", "the certificate of the host was not accepted"],
    ["CERT_HAS_EXPIRED", "the certificate of the host was not accepted"],
    ["ERR_TLS_CERT_ALTNAME_INVALID", "the certificate of the host was not accepted"],
    ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "the certificate of the host was not accepted"],
    ["ERR_SSL_WRONG_VERSION_NUMBER", "no TLS connection came about"],
    ["EPROTO", "no TLS connection came about"],
  ])("for %s is plain and shows nothing of the server", (code, text) => {
    expect(failureText(withCode(code))).toBe(text);
  });

  it("of several addresses is that of the first", () => {
    const problem = new AggregateError([withCode("ECONNREFUSED"), withCode("ENETUNREACH")]);
    expect(failureText(problem)).toBe("the connection was refused");
  });

  it.each([withCode("EMFILE"), new TypeError("x is undefined"), "text", null, new AggregateError([])])(
    "is none for what no receiver causes",
    (problem) => {
      expect(failureText(problem)).toBeNull();
    },
  );
});
