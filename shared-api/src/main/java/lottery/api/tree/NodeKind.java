package lottery.api.tree;

/** As what a node reads its matter: 10 is greater than 9 as a number, while texts have no order. */
public enum NodeKind {
    NUMBER,
    TEXT
}
