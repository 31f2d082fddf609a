// Assets are files that the program carries inside itself: the page of the HTML report, the schemas of its documents,
// and a demo capture. They are files and not literals, so that ordinary tools can read them. They are a module of their
// own, because embedding takes seconds that no other change should wait for.

package enum Assets {
  /// The capture of samples/sniff/apple-512-hold.wire.
  package static var demo: [UInt8] { PackageResources.demo_pcap }

  /// Fields of the first line of NDJSON, as .ci/columns writes them.
  package static var blankColumns: [UInt8] { PackageResources.columns_json.dropLast() }

  /// Columns of the tables of -o parquet, as .ci/columns writes them.
  package static var tableColumns: [UInt8] { PackageResources.tables_json }

  /// The look of the HTML report.
  package static var reportStyle: [UInt8] { PackageResources.report_css }

  /// The look of a comparison, on top of that.
  package static var comparisonStyle: [UInt8] { PackageResources.compare_css }

  /// What the HTML report runs, in the order in which the files need each other; they share one scope.
  package static var reportScript: [UInt8] {
    let files = [
      PackageResources.base_js, PackageResources.figures_js, PackageResources.words_js, PackageResources.model_js,
      PackageResources.items_js, PackageResources.paint_js, PackageResources.tables_js, PackageResources.heading_js,
      PackageResources.findings_js, PackageResources.waterfall_js, PackageResources.lanes_js,
      PackageResources.charts_js, PackageResources.detail_js, PackageResources.about_js, PackageResources.page_js,
    ]
    return Array(files.joined())
  }
}
