package lottery.api.tree;

/**
 * Whether a node reads its matter as a number or as a text. As numbers, 10 is greater than 9. Texts can only be equal
 * or different.
 */
public enum NodeValueType {
    NUMBER,
    TEXT
}
