import type { Clock } from '../../clock';
import type { Message } from '../../message';
import { AgingMap, KEPT_OF_SENDING } from './agingMap';

/** The messages of this process that the service has accepted, whichever node and execution sent them. */
export class AcceptedMessages {
	private readonly acceptedMs: AgingMap<number>;

	constructor(private readonly clock: Clock) {
		this.acceptedMs = new AgingMap(clock, KEPT_OF_SENDING);
	}

	/** Remembers that the service has accepted a message. */
	add({ message_handle: handle }: Message): void {
		if (handle !== undefined) this.acceptedMs.set(handle, this.clock.nowMs());
	}

	/** When this process learned that the message was accepted; undefined when this process did not send it. */
	acceptedAtMs(messageHandle: string): number | undefined {
		return this.acceptedMs.get(messageHandle);
	}
}
