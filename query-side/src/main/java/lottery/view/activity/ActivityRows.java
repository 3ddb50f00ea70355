package lottery.view.activity;

import java.util.Optional;
import org.springframework.data.repository.Repository;

interface ActivityRows extends Repository<ActivityRow, Long> {

    Optional<ActivityRow> findById(Long activityId);
}
