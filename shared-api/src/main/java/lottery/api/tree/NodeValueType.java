package lottery.api.tree;

/** The way in which a node reads its matter: 10 is greater than 9 as a number, while texts have no order. */
public enum NodeValueType {
    NUMBER,
    TEXT
}
