import 'n8n-workflow/dist/Interfaces';

// What n8n knows of a description since later versions than the oldest one that the nodes run in; an older one ignores it.
declare module 'n8n-workflow/dist/Interfaces' {
	interface INodeTypeDescription {
		waitingNodeTooltip?: string;
		builderHint?: { searchHint: string };
	}

	interface INodeProperties {
		builderHint?: { propertyHint: string };
	}
}
