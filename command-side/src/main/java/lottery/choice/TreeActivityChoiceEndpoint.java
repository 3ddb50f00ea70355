package lottery.choice;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Size;
import java.util.Map;
import java.util.Objects;
import lottery.api.Refusal;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.choice.TreeId;
import lottery.api.tree.TreeDefinition;
import lottery.store.trace.Actor;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Chooses the activity that suits a user. */
@RestController
@Tag(name = "Choice", description = "The choice of an activity by a decision tree.")
class TreeActivityChoiceEndpoint {

    private static final int MATTERS_MAX = 50;

    record ActivityChoiceRequest(
            @NotNull TreeId treeId,
            @NotNull UserId userId,

            @Nullable @Size(max = MATTERS_MAX) @JsonDeserialize(contentUsing = MatterValueDeserializer.class)
            Map<
                            @NotBlank @Size(max = TreeDefinition.TEXT_LENGTH_MAX) String,
                            @NotNull @Size(max = TreeDefinition.VALUE_LENGTH_MAX) String>
                    matters) {}

    private final TreeActivityChooser chooser;

    TreeActivityChoiceEndpoint(TreeActivityChooser chooser) {
        this.chooser = chooser;
    }

    @Operation(summary = "Choose the activity that suits a user", description = """
                    Evaluates a decision tree with facts about the user, and returns the chosen activity and the path
                    through the tree. It stores nothing. If no line fits, or the activity is not open now, the request
                    is refused with NO_ACTIVITY. A request has at most 50 `matters`; each is a number or a text.""")
    @PostMapping("/api/v1/activity-choices")
    ActivityChoice chooseActivity(@Valid @RequestBody ActivityChoiceRequest form) {
        if (!Actor.mayAccessDataOf(form.userId().value())) {
            throw new RefusedException(Refusal.NOT_FOUND, form.userId().value());
        }
        return chooser.choose(form.treeId(), form.userId(), Objects.requireNonNullElse(form.matters(), Map.of()))
                .orThrow();
    }
}
