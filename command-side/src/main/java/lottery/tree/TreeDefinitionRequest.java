package lottery.tree;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.List;
import lottery.api.tree.Comparison;
import lottery.api.tree.Line;
import lottery.api.tree.Node;
import lottery.api.tree.NodeValueType;
import lottery.api.tree.TreeDefinition;
import org.jspecify.annotations.Nullable;

/** The definition of a tree in a request. */
public record TreeDefinitionRequest(
        @NotBlank @Size(max = TreeDefinition.TEXT_LENGTH_MAX)
        String root,

        @NotEmpty @Size(max = TreeDefinition.NODES_MAX) List<@NotNull @Valid NodeForm> nodes,
        @NotNull @Size(max = TreeDefinition.LINES_MAX) List<@NotNull @Valid LineForm> lines) {

    record NodeForm(
            @NotBlank @Size(max = TreeDefinition.TEXT_LENGTH_MAX)
            String node,

            @Nullable @Size(min = 1, max = TreeDefinition.TEXT_LENGTH_MAX)
            String matter,

            @Nullable NodeValueType kind,

            @Nullable @Size(min = 1, max = TreeDefinition.TEXT_LENGTH_MAX)
            String result) {

        Node described() {
            return new Node(node, matter, kind, result);
        }
    }

    record LineForm(
            @NotBlank @Size(max = TreeDefinition.TEXT_LENGTH_MAX)
            String from,

            @NotBlank @Size(max = TreeDefinition.TEXT_LENGTH_MAX)
            String to,

            @NotNull Comparison is,

            @NotNull @Size(max = TreeDefinition.VALUES_MAX)
            List<@NotNull @Size(max = TreeDefinition.VALUE_LENGTH_MAX) String> values) {

        Line described() {
            return new Line(from, to, is, values);
        }
    }

    public TreeDefinition definition() {
        return new TreeDefinition(
                root,
                nodes.stream().map(NodeForm::described).toList(),
                lines.stream().map(LineForm::described).toList());
    }
}
