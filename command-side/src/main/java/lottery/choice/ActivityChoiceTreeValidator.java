package lottery.choice;

import static lottery.api.SubmissionFlaw.FlawKind.ACTIVITY_UNKNOWN;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import lottery.api.SubmissionFlaw;
import lottery.api.activity.ActivityId;
import lottery.api.tree.Node;
import lottery.api.tree.TreeDefinition;
import lottery.tree.TreeDefinitionValidator;

/** Checks that the results of a tree are activities that exist. */
final class ActivityChoiceTreeValidator {

    /** The pattern of an activity's id in a result. It allows only one notation for each id. */
    private static final Pattern ACTIVITY = Pattern.compile("[1-9][0-9]{0,18}");

    private ActivityChoiceTreeValidator() {}

    static List<SubmissionFlaw> findings(TreeDefinition definition, ActivityExistenceLookup activities) {
        return Stream.concat(
                        TreeDefinitionValidator.findings(definition, "", ActivityChoiceTreeValidator::isActivity)
                                .stream(),
                        unknown(definition, activities).stream())
                .toList();
    }

    static boolean isActivity(String result) {
        return ACTIVITY.matcher(result).matches() && new BigInteger(result).bitLength() < Long.SIZE;
    }

    private static List<SubmissionFlaw> unknown(TreeDefinition definition, ActivityExistenceLookup activities) {
        List<SubmissionFlaw> findings = new ArrayList<>();
        List<Node> nodes = definition.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            String result = nodes.get(i).result();
            if (result != null && isActivity(result) && !activities.has(ActivityId.of(result))) {
                findings.add(new SubmissionFlaw("/nodes/" + i + "/result", ACTIVITY_UNKNOWN, result));
            }
        }
        return findings;
    }
}
