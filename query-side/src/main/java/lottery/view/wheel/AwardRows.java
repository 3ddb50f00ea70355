package lottery.view.wheel;

import java.util.List;
import org.springframework.data.jpa.repository.Modifying;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.Repository;

interface AwardRows extends Repository<AwardRow, AwardKey> {

    /** Awards with the same place are in the order of their ids, so that the wheel looks alike each time. */
    List<AwardRow> findByKeyStrategyIdOrderBySortAscKeyAwardIdAsc(long strategyId);

    /** Whatever was changed in memory is written before, and forgotten: rows that are deleted must not come back. */
    @Modifying(flushAutomatically = true, clearAutomatically = true)
    @Query("DELETE FROM AwardRow WHERE key.strategyId = :strategyId")
    void deleteStrategy(long strategyId);

    boolean existsByKeyStrategyIdAndVersionGreaterThanEqual(long strategyId, int version);

    @Modifying(flushAutomatically = true, clearAutomatically = true)
    @Query("DELETE FROM AwardRow")
    void deleteAll();
}
