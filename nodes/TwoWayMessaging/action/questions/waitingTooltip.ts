import { ANSWER_BY_BUTTONS, ASK_AND_WAIT, RESPONSE_TYPE_FIELD } from '../../n8n/agentTools';

/*
 * While an execution waits, the editor evaluates expressions without the items that it had. So a field that holds an
 * expression itself is not shown by its value.
 */

const CUSTOMER =
	'(/^[+\\d\\s().-]+$/.test($rawParameter["number"] || "") ? $rawParameter["number"] : "the customer")';

const BY = `($rawParameter["${RESPONSE_TYPE_FIELD}"] === "${ANSWER_BY_BUTTONS}" ? " with a button" : " by text")`;

const UNIT =
	'($rawParameter["resumeAmount"] === 1 ? $rawParameter["resumeUnit"].replace(/s$/, "") : $rawParameter["resumeUnit"])';

const SPAN = `(typeof $rawParameter["resumeAmount"] === "number" ? $rawParameter["resumeAmount"] + " " + ${UNIT} : "the time limit")`;

const LIMIT = `($rawParameter["limitWaitTime"] === true ? ", or after " + ${SPAN} : "")`;

/** What the canvas says of a node that waits for an answer: for whose, and for how long. */
export const WAITING_TOOLTIP = `={{ $parameter["operation"] === "${ASK_AND_WAIT}" ? "The execution continues when " + ${CUSTOMER} + " answers" + ${BY} + ${LIMIT} + "." : "" }}`;
