package lottery.security;

import static lottery.security.CallerRole.ADMIN;
import static lottery.security.CallerRole.APPROVER;
import static lottery.security.CallerRole.AUDITOR;
import static lottery.security.CallerRole.DESK;
import static lottery.security.CallerRole.FRONT;
import static lottery.security.CallerRole.FULFILMENT;
import static lottery.security.CallerRole.METRICS;
import static lottery.security.CallerRole.OPERATOR;
import static lottery.security.CallerRole.PAYMENTS;
import static lottery.security.CallerRole.PLAYER;

import java.util.List;
import java.util.stream.Stream;

/** The access rules, one for each operation. An operation without a rule cannot be called. */
final class AccessMatrix {

    private static final String API = "/api/v1";
    private static final String ACTIVITY = API + "/activities/{activityId}";
    private static final String ACCOUNT = ACTIVITY + "/accounts/{userId}";
    private static final String ORDER = API + "/raffle-orders/{orderId}";
    private static final String RECORD = API + "/award-records/{awardRecordId}";
    private static final String PAYMENT = API + "/payments/{paymentId}";
    private static final String CREDITS = API + "/users/{userId}/credits";
    private static final String BEHAVIOURS = API + "/users/{userId}/behaviours";
    private static final String SIGN_INS = API + "/users/{userId}/sign-ins";
    private static final String OPS = API + "/ops";
    private static final String SESSION = API + "/session";

    static final List<AccessRule> RULES = List.of(
            // Public operations.
            rule("GET " + API + "/activities").everybody(),
            rule("GET " + ACTIVITY).everybody(),
            rule("GET " + ACTIVITY + "/odds").everybody(),
            rule("GET " + ACTIVITY + "/odds/audit").everybody(),
            rule("GET " + ACTIVITY + "/winners").everybody(),
            rule("GET " + ACTIVITY + "/pool").everybody(),
            rule("GET " + ACTIVITY + "/entries/{entryNo}/proof").everybody(),
            rule("GET " + ACTIVITY + "/winners/stream").everybody(),
            rule("GET " + API + "/rebate-rules").everybody(),
            rule("GET " + API + "/rebate-rules/{ruleId}").everybody(),
            rule("GET " + API + "/payment-providers").everybody(),

            // Accounts and sessions, if the lottery has accounts of its own.
            rule("GET " + SESSION + "/ways").everybody(),
            rule("POST " + SESSION).everybody(),
            rule("POST " + SESSION + "/phone-codes").everybody(),
            rule("POST " + SESSION + "/phone").everybody(),
            rule("GET " + SESSION).all(CallerRole.values()),
            rule("DELETE " + SESSION).all(CallerRole.values()),
            rule("POST " + SESSION + "/password").all(CallerRole.values()),
            rule("GET " + OPS + "/accounts").all(ADMIN, AUDITOR).personal(),
            rule("PUT " + OPS + "/accounts/{account}").all(ADMIN),
            rule("POST " + OPS + "/accounts/{account}/lock").all(ADMIN, DESK),
            rule("DELETE " + OPS + "/accounts/{account}/lock").all(ADMIN, DESK),
            rule("GET " + OPS + "/account-changes").all(ADMIN, AUDITOR).personal(),

            // Players, and callers that act for them.
            rule("GET " + ACTIVITY + "/awards")
                    .ownInQuery(PLAYER)
                    .all(FRONT, OPERATOR, DESK)
                    .personal(),
            rule("POST " + API + "/activity-choices").own(PLAYER).all(FRONT, OPERATOR),
            rule("POST " + API + "/activity-choices/draws").all(FRONT),
            rule("GET " + ACCOUNT).own(PLAYER).all(FRONT, DESK, AUDITOR).personal(),
            rule("GET " + ACCOUNT + "/awards")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),
            rule("GET " + ACCOUNT + "/draws")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),
            rule("GET " + ACCOUNT + "/raffle-orders")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),
            rule("GET " + ACCOUNT + "/recharges")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),
            rule("POST " + ACCOUNT + "/draws").own(PLAYER).all(FRONT),
            rule("POST " + ACCOUNT + "/raffle-orders").own(PLAYER).all(FRONT),
            rule("POST " + ACCOUNT + "/entries").own(PLAYER).all(FRONT),
            rule("POST " + ACCOUNT + "/recharges").own(PLAYER).all(FRONT),
            rule("GET " + ORDER).own(PLAYER).all(FRONT, DESK, AUDITOR).personal(),
            rule("GET " + ORDER + "/stream")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),
            rule("GET " + ORDER + "/proof")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),
            rule("POST " + ORDER + "/draw").own(PLAYER).all(FRONT),
            rule("POST " + ORDER + "/cancellation").own(PLAYER).all(FRONT),
            rule("GET " + API + "/recharges/{rechargeId}")
                    .own(PLAYER)
                    .all(FRONT, PAYMENTS, DESK, AUDITOR)
                    .personal(),
            rule("POST " + ACCOUNT + "/payments").own(PLAYER).all(FRONT),
            rule("GET " + ACCOUNT + "/payments")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),
            rule("GET " + PAYMENT)
                    .own(PLAYER)
                    .all(FRONT, PAYMENTS, DESK, AUDITOR)
                    .personal(),
            rule("GET " + PAYMENT + "/qr.png").own(PLAYER).all(FRONT),
            rule("GET " + RECORD).own(PLAYER).all(FRONT, DESK, AUDITOR).personal(),
            rule("POST " + RECORD + "/claim").own(PLAYER).all(FRONT),
            rule("GET " + RECORD + "/code").own(PLAYER),
            rule("GET " + CREDITS).own(PLAYER).all(FRONT, DESK, AUDITOR).personal(),
            rule("GET " + CREDITS + "/entries")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),
            rule("POST " + CREDITS + "/entries").all(FRONT),
            rule("GET " + API + "/users/{userId}/entitlements")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),
            rule("POST " + SIGN_INS).own(PLAYER).all(FRONT),
            rule("GET " + SIGN_INS).own(PLAYER).all(FRONT, DESK, AUDITOR).personal(),
            rule("POST " + BEHAVIOURS).all(FRONT),
            rule("GET " + BEHAVIOURS + "/{behaviourId}")
                    .own(PLAYER)
                    .all(FRONT, DESK, AUDITOR)
                    .personal(),

            // Other systems. Providers of payments sign their messages.
            rule("POST " + API + "/payment-callbacks/{provider}").everybody(),
            rule("POST " + API + "/recharges/{rechargeId}/completion").all(PAYMENTS),
            rule("POST " + RECORD + "/fulfilments").all(FULFILMENT, DESK),

            // Operators and approvers.
            rule("POST " + API + "/activities").all(OPERATOR),
            rule("PUT " + ACTIVITY).all(OPERATOR),
            rule("POST " + ACTIVITY + "/transitions").all(OPERATOR, APPROVER),
            rule("POST " + ACTIVITY + "/awards/{awardId}/hold").all(OPERATOR),
            rule("POST " + ACTIVITY + "/awards/{awardId}/release").all(OPERATOR),
            rule("GET " + ACTIVITY + "/review").all(OPERATOR, APPROVER, AUDITOR),
            rule("POST " + ACTIVITY + "/preflight").all(OPERATOR, APPROVER),
            rule("GET " + ACTIVITY + "/figures").all(OPERATOR, APPROVER, AUDITOR),
            rule("GET " + ACTIVITY + "/stock").all(OPERATOR, APPROVER, DESK, AUDITOR),
            rule("POST " + ACTIVITY + "/award-codes/{awardId}").all(OPERATOR),
            rule("GET " + ACTIVITY + "/award-codes/{awardId}").all(OPERATOR, APPROVER, DESK, AUDITOR),
            rule("POST " + API + "/strategies").all(OPERATOR),
            rule("GET " + API + "/strategies").all(OPERATOR, APPROVER, AUDITOR),
            rule("PUT " + API + "/strategies/{strategyId}").all(OPERATOR),
            rule("GET " + API + "/strategies/{strategyId}").all(OPERATOR, APPROVER, AUDITOR),
            rule("POST " + API + "/strategies/{strategyId}/simulations").all(OPERATOR, APPROVER),
            rule("PUT " + API + "/decision-trees/{treeId}").all(OPERATOR),
            rule("GET " + API + "/decision-trees/{treeId}").all(OPERATOR, APPROVER, AUDITOR),
            rule("PUT " + API + "/rebate-rules/{ruleId}").all(OPERATOR),

            // Actions that need two persons. The proposal itself knows which role agrees.
            rule("GET " + OPS + "/proposals")
                    .all(OPERATOR, APPROVER, DESK, ADMIN, AUDITOR)
                    .personal(),
            rule("GET " + OPS + "/proposals/{proposalId}")
                    .all(OPERATOR, APPROVER, DESK, ADMIN, AUDITOR)
                    .personal(),
            rule("POST " + OPS + "/proposals/{proposalId}/decision")
                    .all(OPERATOR, APPROVER, DESK, ADMIN)
                    .personal(),

            // Auditors.
            rule("POST " + ACTIVITY + "/verifications").all(AUDITOR),
            rule("GET " + ACTIVITY + "/draws/export").all(AUDITOR).personal(),

            // The desk.
            rule("GET " + OPS + "/grants").all(DESK, AUDITOR).personal(),
            rule("POST " + OPS + "/award-records/{awardRecordId}/release").all(DESK),
            rule("POST " + RECORD + "/void").all(DESK).personal(),
            rule("POST " + OPS + "/award-records/{awardRecordId}/remedy")
                    .all(DESK)
                    .personal(),
            rule("POST " + OPS + "/award-records/{awardRecordId}/invoices").all(DESK),
            rule("GET " + OPS + "/sagas").all(DESK, AUDITOR).personal(),
            rule("POST " + OPS + "/sagas/{kind}/{id}/retry").all(DESK),
            rule("GET " + OPS + "/dead-letters").all(DESK, AUDITOR).personal(),
            rule("POST " + OPS + "/dead-letters/{id}/retry").all(DESK),
            rule("POST " + OPS + "/dead-letters/{id}/drop").all(DESK),
            rule("GET " + OPS + "/rebates").all(DESK, AUDITOR).personal(),
            rule("POST " + OPS + "/rebates/{behaviourId}/{ruleId}/{index}/retry")
                    .all(DESK),
            rule("POST " + OPS + "/rebates/{behaviourId}/{ruleId}/{index}/drop").all(DESK),
            rule("GET " + OPS + "/payments").all(DESK, AUDITOR).personal(),
            rule("GET " + OPS + "/payments/trades.csv").all(DESK, AUDITOR).personal(),
            rule("PUT " + OPS + "/payments/statements/{provider}/{day}").all(DESK),
            rule("GET " + OPS + "/payments/statements").all(DESK, AUDITOR),
            rule("GET " + OPS + "/payments/differences").all(DESK, AUDITOR).personal(),
            rule("POST " + OPS + "/payments/differences/decision").all(DESK),
            rule("POST " + OPS + "/payments/{paymentId}/decision").all(DESK).personal(),
            rule("POST " + OPS + "/payments/{paymentId}/search").all(DESK).personal(),
            rule("GET " + OPS + "/parked-events").all(DESK, AUDITOR).personal(),
            rule("POST " + OPS + "/parked-events/{processor}/{position}/retry").all(DESK),
            rule("POST " + OPS + "/parked-events/{processor}/{position}/drop").all(DESK),
            rule("GET " + API + "/bans").all(DESK, AUDITOR).personal(),
            rule("POST " + API + "/users/{userId}/ban").all(DESK),
            rule("DELETE " + API + "/users/{userId}/ban").all(DESK),
            rule("GET " + API + "/users/{userId}/person").all(DESK, AUDITOR).personal(),
            rule("DELETE " + API + "/users/{userId}/person").all(DESK),
            rule("GET " + OPS + "/audit").all(DESK, AUDITOR).personal(),
            rule("GET " + OPS + "/personal-reads").all(AUDITOR),
            rule("GET " + OPS + "/decisions").all(DESK, AUDITOR).personal(),
            rule("GET " + OPS + "/projections").all(OPERATOR, DESK, AUDITOR),
            rule("POST " + OPS + "/projections/{name}/replay").all(OPERATOR),

            // The pages. Their requests to the API follow the rules above, like those of any other caller.
            rule("GET /").everybody(),
            rule("GET /console").everybody(),
            rule("GET /pages/**").everybody(),

            // The wallet of the simulated provider, which only trials have. Everybody with the link of a payment may
            // pay it.
            rule("GET /pay/{paymentId}").everybody(),
            rule("POST /pay/{paymentId}").everybody(),

            // The management port.
            rule("GET /actuator/health/**").everybody(),
            rule("GET /actuator").all(OPERATOR, METRICS),
            rule("GET /actuator/prometheus").all(OPERATOR, METRICS),
            rule("GET /v3/api-docs").all(OPERATOR));

    /**
     * The rules, and one more rule for Swagger UI, the page that shows the contract. Only a lottery with embedded
     * servers has this page.
     */
    static final List<AccessRule> RULES_WITH_PAGE = Stream.concat(
                    RULES.stream(), Stream.of(rule("GET /swagger-ui/**").all(OPERATOR)))
            .toList();

    private AccessMatrix() {}

    private static AccessRule rule(String operation) {
        return AccessRule.of(operation);
    }
}
