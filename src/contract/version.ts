/** The version of the contract: what openapi.yaml and the health routes report. */
export const CONTRACT_VERSION = '0.1.0';
