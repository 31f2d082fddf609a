import Capture
import Comparison
import Engine
import Events

extension AnalyzeRun {
  /// The analysis of a capture that is to be compared.
  func recording() async throws(Stop) -> Recording {
    noteReading()
    let source: any CaptureSource
    do throws(CaptureError) {
      source = try open()
    } catch {
      throw Stop(error.description)
    }
    var options = pipelineOptions
    options.timelineLimit = 0
    options.pieces = PieceOptions(isTold: true, previewLimit: 0, isCompared: true)
    var pipeline = Pipeline(source, file: name, options)
    var progress = ProgressLine(console, name)
    var recording = Recording(file: name)
    do throws(PipelineError) {
      let summary = try await pipeline.run(
        stop: Interruption.flag, progress: { progress.update($0) }, begin: { _ in },
        emit: { (item) throws(ReportError) in recording.take(item) })
      progress.clear()
      recording.finish(summary)
    } catch {
      progress.clear()
      switch error {
      case .capture(let error): throw Stop(error.description)
      case .report(let error): throw Stop(error)
      }
    }
    return recording
  }
}
