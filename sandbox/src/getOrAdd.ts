/** The value of a key in a map; where the map has none, `create` makes it and the map keeps it. */
export const getOrAdd = <Key, Value>(
	map: Map<Key, Value>,
	key: Key,
	create: () => Value,
): Value => {
	const known = map.get(key);
	if (known !== undefined) return known;
	const created = create();
	map.set(key, created);
	return created;
};
