package lottery.account;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import lottery.IdempotentCreation;
import lottery.IdempotentReplyBuilder;
import lottery.IdempotentResult;
import lottery.account.DrawEndpoint.DrawReply;
import lottery.api.Answer;
import lottery.api.Refusal;
import lottery.api.Refused;
import lottery.api.RefusedException;
import lottery.api.UserId;
import lottery.api.account.AccountCommand.Draw;
import lottery.api.account.AccountCommand.DrawChosen;
import lottery.api.account.AccountId;
import lottery.api.activity.ActivityId;
import lottery.api.choice.TreeId;
import lottery.api.raffle.DrawRequestResult;
import lottery.api.raffle.RaffleRequestIdentity;
import lottery.api.tree.TreeDefinition;
import lottery.choice.MatterValueDeserializer;
import lottery.choice.TreeActivityChooser;
import lottery.store.log.Logs;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.annotation.JsonDeserialize;

/** Chooses the activity that suits a user, and draws in it, over REST. */
@RestController
@Tag(name = "Choice", description = "The choice of an activity by a decision tree.")
// A caller that does not accept JSON is refused before the command runs, not after it.
@RequestMapping(produces = MediaType.APPLICATION_JSON_VALUE)
class ChosenDrawEndpoint {

    private static final int MATTERS_MAX = 50;

    /**
     * @param count how many draws are made at once; one if it is left out
     * @param matters what the front knows about the user
     */
    record ChosenDrawRequest(
            @NotNull TreeId treeId,
            @NotNull UserId userId,
            @Nullable @Min(1) @Max(Draw.COUNT_MAX) Integer count,

            @Nullable @Size(max = MATTERS_MAX) @JsonDeserialize(contentUsing = MatterValueDeserializer.class)
            Map<
                            @NotBlank @Size(max = TreeDefinition.TEXT_LENGTH_MAX) String,
                            @NotNull @Size(max = TreeDefinition.VALUE_LENGTH_MAX) String>
                    matters) {}

    /** The activity that was chosen, and what was drawn in it. */
    record ChosenDrawReply(
            ActivityId activityId, @JsonUnwrapped DrawReply drawn) {}

    private final ChanceSpender chances;
    private final TreeActivityChooser chooser;
    private final ChosenActivityClaims choices;
    private final Logs logs;

    ChosenDrawEndpoint(ChanceSpender chances, TreeActivityChooser chooser, ChosenActivityClaims choices, Logs logs) {
        this.chances = chances;
        this.chooser = chooser;
        this.choices = choices;
        this.logs = logs;
    }

    @Operation(summary = "Choose an activity and draw in it", description = """
                    Evaluates a decision tree with facts about the user, and draws in the chosen activity. The response
                    names the activity, and otherwise equals that of a draw. The header `Idempotency-Key` is required. A
                    key keeps its activity: the same request again returns the same response, even if the tree would now
                    choose another activity. A refused request does not fix the activity of its key.""")
    @IdempotentCreation
    @PostMapping("/api/v1/activity-choices/draws")
    ResponseEntity<ChosenDrawReply> chooseAndDraw(
            @RequestHeader(name = IdempotentReplyBuilder.KEY_HEADER, required = false)
                    @Nullable
                    @Pattern(regexp = IdempotentReplyBuilder.KEY)
                    String key,
            @Valid @RequestBody ChosenDrawRequest form) {
        if (key == null) {
            throw new RefusedException(Refusal.KEY_REQUIRED, form.treeId().text());
        }
        return logs.ofPerson(form.userId().value()).call(() -> chooseAndDraw(form, key));
    }

    private ResponseEntity<ChosenDrawReply> chooseAndDraw(ChosenDrawRequest form, String key) {
        UserId user = form.userId();
        // The choice reads the tree, which a banned user does not need.
        chances.requireNotBanned(user);
        Map<String, String> matters = Objects.requireNonNullElse(form.matters(), Map.of());
        ActivityId activity = choices.find(user, key)
                .orElseGet(() ->
                        chooser.choose(form.treeId(), user, matters).orThrow().activityId());
        Draw draw = draw(activity, user, key, Objects.requireNonNullElse(form.count(), 1));
        return drawn(draw, key, matters);
    }

    private static Draw draw(ActivityId activity, UserId user, String key, int times) {
        AccountId account = new AccountId(activity, user);
        return new Draw(account, RaffleRequestIdentity.of(account, key), times);
    }

    private ResponseEntity<ChosenDrawReply> drawn(Draw draw, String key, Map<String, String> matters) {
        return switch (chances.draw(draw, new DrawChosen(draw, key), matters)) {
            case Answer.Done<IdempotentResult<DrawRequestResult>>(IdempotentResult<DrawRequestResult> drawn) -> {
                if (drawn.isReplayed()) {
                    requireChoice(draw, key);
                }
                yield IdempotentReplyBuilder.of(
                        drawn, draws -> new ChosenDrawReply(draw.activityId(), DrawReply.of(draws, draw.count())));
            }
            case Answer.No<IdempotentResult<DrawRequestResult>>(Refused refused) ->
                drawChosenElsewhere(draw, key, refused)
                        .map(chosen -> drawn(chosen, key, matters))
                        .orElseThrow(() -> new RefusedException(refused));
        };
    }

    /** Refuses to repeat a draw without a choice, because such a draw has used the key for this one activity only. */
    private void requireChoice(Draw draw, String key) {
        if (choices.find(draw.userId(), key).isEmpty()) {
            throw new RefusedException(Refusal.KEY_REUSED, draw.accountId().text());
        }
    }

    /**
     * Returns the draw in the activity that another node has chosen for the same request at the same time. That choice
     * counts. The result is empty if the request was refused for another reason.
     */
    private Optional<Draw> drawChosenElsewhere(Draw draw, String key, Refused refused) {
        return refused.why() == Refusal.KEY_REUSED
                ? choices.find(draw.userId(), key)
                        .filter(chosen -> !chosen.equals(draw.activityId()))
                        .map(chosen -> draw(chosen, draw.userId(), key, draw.count()))
                : Optional.empty();
    }
}
